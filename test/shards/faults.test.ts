import { describeFaults } from '../faults/blackbox/describe-faults.js';

describeFaults('two shards', { faults: 2, shards: 2 });
