export { Agent } from '@mariozechner/pi-agent-core';
export const NAME = 'pi 0.73';
