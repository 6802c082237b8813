// Replaces the SDK's check of clients' answers, whose library is ten times as long as everything else here. The code
// that uses the answers checks them.

import process from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true, data, errorMessage: undefined });
  }
}

export { process };
