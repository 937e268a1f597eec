import { randomFaults } from './suite.js';

randomFaults('of a service with a single ClickHouse', 10);
