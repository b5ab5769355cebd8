import { catalogue, codePages } from '../docs-site/codes.mjs'
import { code } from './table.mjs'

/** The remedies, each with a heading and its codes below. */
const classes = {
  data: ['Correct the payload', ''],
  'set-up': ['Correct the set-up', 'Correct the address, key, supplier, team or configuration.\n\n'],
  retry: [
    'Send the request again',
    'The same request may succeed later, after `Retry-After` if the response has it.\n\n',
  ],
}
const link = (name) => `[${code(name)}](../errors/${name}.md)`

/** Words that the page explains once. */
const statusOf = (name) => {
  const { severity, changeable } = catalogue[name]
  if (severity === 'error') return codePages[name].statuses.replace('any success as a warning', 'warning')
  return changeable ? severity.replace('warn', 'warning') : 'warning, fixed'
}

/** The codes of a remedy, by their statuses. */
const section = ([remedy, [heading, text]], withDetails) => {
  const codes = Object.keys(catalogue).filter((name) => catalogue[name].class === remedy)
  const statuses = [...new Set(codes.map(statusOf))]
  const lists = statuses.map((status) => {
    const names = codes.filter((name) => statusOf(name) === status)
    if (!withDetails) return `${status}: ${names.map(link).join(', ')}`
    const entries = names.map((name) => `- ${link(name)}: ${codePages[name].detail}`)
    return `${status}:\n\n${entries.join('\n')}`
  })
  return `## ${heading}\n\n${text}${lists.join('\n\n')}`
}

/** The list of all codes. `withDetails`: with the text of each, which its page has too. */
export const errorsPage = (withDetails = false) => `# Error codes

Every refusal has the same kind of body. The meaning of a code never changes; only the texts may change. The page of a code has its
meaning, its causes, the remedy and examples. The service shows the page at \`/docs/errors/<code>/\`, and
\`account-import explain <code>\` prints it.

\`\`\`json
{ "detail": "for people", "code": "for programs", "errors": [{ "detail": "…", "code": "…", "attr": "customers.0.landline" }] }
\`\`\`

- A code belongs to the whole response, to an entry of \`errors\`, or to a warning in the header \`Import-Warnings\`.
- The codes stand below their statuses. A warning does not change the status of a success. The operator may change the severity of each \`warning\` and \`off\`,
  except a fixed one, for a supplier: \`account-import supplier configure SUPPLIER --severity CODE=error|warn|off\`. A rule that is
  raised to \`error\` results in 400.
- The response fills in \`N\`, \`A, B or C\` and \`what the field takes\` from the rule, never from the payload.
- In the paths of these pages, N is an index, counted from 0.

${Object.entries(classes)
  .map((each) => section(each, withDetails))
  .join('\n\n')}
`
