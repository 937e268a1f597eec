import { expect } from 'chai';
import { alertPayload, testPayload } from '../../src/schemas/alerts.js';
import { bodyFor, takesSlackForm } from '../../src/schemas/slack.js';

describe("Slack's form of a message", () => {
  it('is for Slack, and for addresses that end as those of others that take it', () => {
    const yes = [
      'https://hooks.slack.com/services/T0/B0/x',
      'https://hooks.slack-gov.com/services/T0/B0/x',
      'https://discord.com/api/webhooks/1/token/slack',
      'https://chat.example.com/hooks/slack/',
    ];
    const no = [
      'https://example.com/hook',
      'https://hooks.slack.com.example.com/services/x',
      'https://example.com/slack/hook',
      'https://example.com/hook?to=/slack',
    ];
    expect([...yes, ...no].filter(takesSlackForm)).to.deep.equal(yes);
  });

  it('says an alert as a sentence, and nothing that Slack would read as markup', () => {
    const alert = {
      alertId: 'a',
      kind: 'day_lost' as const,
      day: '2026-03-01',
      measured: '-50.00',
      threshold: '0',
      since: 0,
      endedAt: null,
      delivery: 'waiting' as const,
      attempts: 0,
      nextAt: 0,
      problem: '',
    };
    const slack = 'https://hooks.slack.com/services/x';
    expect(JSON.parse(bodyFor(slack, alertPayload('s<1>&', alert, 'EUR')))).to.deep.equal({
      text: 's&lt;1&gt;&amp;: 2026-03-01 ended with -50.00 EUR.',
    });
    const refused = { ...alert, kind: 'refusals_rose' as const, day: '', measured: '10', threshold: '5' };
    expect(JSON.parse(bodyFor(slack, alertPayload('s', refused, 'EUR')))).to.deep.equal({
      text: 's: 10% of the orders of a day were refused, more than 5%.',
    });
    const test = testPayload('s', 0);
    expect(JSON.parse(bodyFor('https://example.com', test))).to.deep.equal(test);
  });
});
