export { Agent } from '@earendil-works/pi-agent-core';
export const NAME = 'pi 0.87';
