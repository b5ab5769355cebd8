import { logEvents } from '../../packages/server/dist/log/log-events.js'
import { code, table } from './table.mjs'

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

const hasFields = ({ fields }) => Object.keys(fields).length > 0

const events = Object.entries(logEvents).map(([name, event]) => {
  const link = hasFields(event) ? `[${code(name)}](#${name})` : code(name)
  return `- ${link} (${event.levels.join(', ')}): ${event.means}`
})

const fieldsOf = ([name, { fields }]) =>
  `### ${name}\n\n${Object.entries(fields)
    .map(([field, means]) => `- ${code(field)}: ${means}`)
    .join('\n')}`
const fields = Object.entries(logEvents)
  .filter(([, event]) => hasFields(event))
  .map(fieldsOf)

export const logPage = () => `# The log

The server writes its log to stderr, one JSON object a line, or a readable line in a terminal. ${code('LOG_LEVEL')} sets the
lowest level ([configuration](configuration.md)). No entry contains a value of a payload, an account number of a customer, a
token, a path of a request, SQL or a stack trace.

Write alerts and searches by ${code('event')} and ${code('level')}, never by ${code('message')}. The
[metrics](../how-to/monitor.md) count the same events. The levels are the numbers of pino. Every entry has these fields:

${table(['Field', 'Meaning'], always)}

## Events

${events.join('\n')}

A program that embeds the core without \`onFailure\` of its background work gets such lines on stderr, with the event \`background_work\`, and
\`chore\`, \`kind\`, \`port\` and \`operation\`.

To search for faults of the service, use [jq](https://jqlang.org):

\`\`\`sh
jq -c 'select(.level >= 50 or (.event == "health" and .state == "failed"))' < account-import.log
\`\`\`

## Fields of events

${fields.join('\n\n')}
`
