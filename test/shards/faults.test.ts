import { describeFaults } from '../faults/blackbox/describe-faults.js';

describeFaults('two shards', { faults: 5, shards: 2 });
