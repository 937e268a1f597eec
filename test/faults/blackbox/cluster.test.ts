import { randomFaults } from './suite.js';

randomFaults('of a service on two shards of two servers', 5, ['--shards', '2', '--replicas', '2']);
