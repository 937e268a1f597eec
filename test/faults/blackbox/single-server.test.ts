import { describeFaults } from './describe-faults.js';

describeFaults('a single ClickHouse', { faults: 4 });
