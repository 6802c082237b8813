// In place of the SDK's own: it checks answers of clients by a library ten times as long as all else here. Ours are checked where
// they are used.

import process from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    return (data: unknown) => ({ valid: true, data, errorMessage: undefined });
  }
}

export { process };
