export { openRedis } from '../../../examples/workers/src/redis.js';
