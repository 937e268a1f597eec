import { curlOf, type Call } from './commands.js';

/** Of the variable of the environment that has the key. */
const KEY = 'PROFIT_KEY';

const json = ({ body }: Call): string => JSON.stringify(body, null, 2);

/** Calls as a program that works as it is, with the key in the variable `PROFIT_KEY`, by the name of the language. */
export const PROGRAMS: Readonly<Record<string, (calls: readonly Call[], origin: string) => string>> = {
  curl: (calls, origin) => calls.map((call) => curlOf(call, `$${KEY}`, origin)).join('\n\n'),

  JavaScript: (calls, origin) => `const send = async (method, path, body) => {
  const headers = { Authorization: \`Bearer \${process.env.${KEY}}\`, 'Content-Type': 'application/json' };
  const answer = await fetch('${origin}' + path, { method, headers, body: JSON.stringify(body) });
  console.log(answer.status, await answer.text());
};
${calls.map((call) => `await send('${call.method}', '${call.path}', ${json(call)});`).join('\n')}`,

  Python: (calls, origin) => `import json, os, urllib.request

def send(method, path, body):
    headers = {"Authorization": "Bearer " + os.environ["${KEY}"], "Content-Type": "application/json"}
    request = urllib.request.Request("${origin}" + path, json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request) as answer:
        print(answer.status, answer.read().decode())

${calls.map((call) => `send("${call.method}", "${call.path}", ${json(call)})`).join('\n')}`,

  PHP: (calls, origin) => `<?php
function send(string $method, string $path, string $body): void
{
    $header = ['Authorization: Bearer ' . getenv('${KEY}'), 'Content-Type: application/json'];
    $http = ['method' => $method, 'header' => $header, 'content' => $body, 'ignore_errors' => true];
    echo file_get_contents('${origin}' . $path, false, stream_context_create(['http' => $http])), "\\n";
}
${calls.map((call) => `send('${call.method}', '${call.path}', '${json(call)}');`).join('\n')}`,
};
