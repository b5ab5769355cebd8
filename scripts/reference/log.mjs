import { logEvents } from '../../packages/server/dist/log/log-events.js'
import { code } from './table.mjs'

const numbers = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }

const always = [
  [
    'level',
    `a number: ${Object.entries(numbers)
      .map(([name, number]) => `${number} ${code(name)}`)
      .join(', ')}`,
  ],
  ['time', 'ISO 8601, in UTC'],
  ['event', 'one of the events below'],
  ['message', 'for people; it may change with any version'],
].map(([name, means]) => [code(name), means])

const all = Object.values(logEvents).flatMap(({ fields }) => Object.entries(fields))
const isShared = ([name, means]) => all.filter((other) => other[0] === name && other[1] === means).length > 2

/** The fields that several events have with one meaning: the page describes them once. */
const shared = [...new Map(all.filter(isShared))].map(([name, means]) => `${code(name)}: ${means}`)

const fieldsOf = ({ fields }) => {
  const entries = Object.entries(fields)
  const others = entries.filter(isShared).map(([name]) => code(name))
  return [
    ...entries.filter((entry) => !isShared(entry)).map(([name, means]) => `  - ${code(name)}: ${means}`),
    ...(others.length === 0 ? [] : [`  - ${others.join(', ')}`]),
  ]
}

const events = Object.entries(logEvents).flatMap(([name, event]) => [
  `- ${code(name)} (${event.levels.join(', ')}): ${event.means}`,
  ...fieldsOf(event),
])

export const logPage = () => `# The log

The server writes its log to stderr, one JSON object a line, or a readable line in a terminal. ${code('LOG_LEVEL')} sets the
lowest level ([configuration](configuration.md)). No entry contains a value of a payload, an account number of a customer, a
token, a path of a request, SQL or a stack trace.

Write alerts and searches by ${code('event')} and ${code('level')}, never by ${code('message')}. The
[metrics](../how-to/monitor.md) count the same events. Every entry has these fields:

${always.map(([name, means]) => `- ${name}: ${means}`).join('\n')}

## Events

Below each event stand its fields. Several events have:

${shared.map((entry) => `- ${entry}`).join('\n')}

The events:

${events.join('\n')}

A program that embeds the core without \`onFailure\` of its background work gets such lines on stderr, with the event \`background_work\`, and
\`chore\`, \`kind\`, \`port\` and \`operation\`.

To search for faults of the service, use [jq](https://jqlang.org):

\`\`\`sh
jq -c 'select(.level >= 50 or (.event == "health" and .state == "failed"))' < account-import.log
\`\`\`
`
