import { SHARD_ATTEMPTS } from '../attacks/break-out-attempts.js';
import { describeBreakOut } from '../attacks/break-out-suite.js';
import { startShardedAnalysts } from '../bi/analysts.js';

describeBreakOut('a BI user of two shards who wants more', startShardedAnalysts, SHARD_ATTEMPTS);
