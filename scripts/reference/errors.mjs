import { catalogue, codePages } from '../docs-site/codes.mjs'
import { code, table } from './table.mjs'

const classes = { data: 'change the data', 'set-up': 'change the set-up', retry: 'send it again' }
const link = (name) => `[${code(name)}](../errors/${name}.md)`

const severityOf = ({ severity, changeable }) => (changeable ? `${severity}, changeable` : severity)

/** Words of many codes, which the page explains once. */
const statusesOf = (name) =>
  codePages[name].statuses
    .replace('any success as a warning', 'warning')
    .replace('400 when it is raised to error', '400')

const rows = Object.keys(catalogue).map((name) => [
  link(name),
  statusesOf(name),
  severityOf(catalogue[name]),
  classes[catalogue[name].class],
  codePages[name].detail,
])

export const errorsPage = () => `# Error codes

Every refusal has the same kind of body. The meaning of a code never changes; only the texts may change. The page of a code has its
causes, the remedy and examples. The service shows the page at \`/docs/errors/<code>/\` below its base address, and
\`account-import explain <code>\` prints it.

\`\`\`json
{ "detail": "for people", "code": "for programs", "errors": [{ "detail": "…", "code": "…", "attr": "customers.0.landline" }] }
\`\`\`

- A code belongs to the whole response, to an entry of \`errors\`, or to a warning in the header \`Import-Warnings\`.
- *Status*: a warning does not change the status of a success.
- *Severity* is the default. The operator may change a changeable severity for a supplier:
  \`account-import supplier configure SUPPLIER --severity CODE=error|warn|off\`. A rule that is raised to \`error\` results in 400.
- *Remedy*: data – correct the payload; set-up – correct the address, key, supplier or team; send it again – the
  same request may succeed later, after \`Retry-After\` if the response has it.
- The response fills in \`N\`, \`A, B or C\` and \`what the field takes\` from the rule, never from the payload.
- In the paths of these pages, N is an index, counted from 0.

${table(['Code', 'Status', 'Severity', 'Remedy', 'Text'], rows)}

`
