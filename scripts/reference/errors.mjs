import { catalogue } from '../../packages/core/dist/index.js'
import { transportProblems } from '../../packages/http-contract/dist/problems/transport-problems.js'
import { useCaseProblems } from '../../packages/http-contract/dist/problems/use-case-problems.js'
import { code, table } from './table.mjs'

const places = { F: 'entry of `errors`', W: 'warning', T: 'whole answer' }
const classes = { data: 'change the data', 'set-up': 'change the set-up', retry: 'send it again' }

/** A refusal with everything that any row of the problem tables reads. */
const refusals = [
  { kind: 'unavailable', status: 400 },
  { kind: 'unexpected', status: 400 },
].map((kind) => ({ ...kind, errors: [], warnings: [], allow: ['GET'], retryAfterSeconds: 1 }))

const statuses = new Map()
for (const row of Object.values({ ...useCaseProblems, ...transportProblems }))
  for (const refusal of refusals) {
    const { status, body } = row(refusal, 'request')
    statuses.set(body.code, new Set([...(statuses.get(body.code) ?? []), status]))
  }

const statusOf = (name, { where, severity }) => {
  const own = [...(statuses.get(name) ?? [])].sort((left, right) => left - right)
  if (own.length > 0) return own.join(', ')
  return where.includes('F') && severity === 'error' ? 400 : ''
}

const severityOf = ({ severity, changeable }) => (changeable ? `${severity}, changeable` : severity)

const rows = Object.entries(catalogue).map(([name, entry]) => [
  code(name),
  entry.where.map((place) => places[place]).join(', '),
  statusOf(name, entry),
  severityOf(entry),
  classes[entry.class],
  entry.detail,
])

export const errorsPage = () => `# Error codes

Every refusal has one body, and every code in it keeps its meaning; only the texts may change.

\`\`\`json
{ "detail": "for people", "code": "for programs", "errors": [{ "detail": "…", "code": "…", "attr": "customers.0.landline" }] }
\`\`\`

- *Where*: a code stands on the whole answer, on an entry of \`errors\`, or on a warning in the header
  \`Import-Warnings\`.
- *Severity*: what the rule does by default; an operator may set a changeable one for a supplier to \`error\`,
  \`warn\` or \`off\`. A rule that is raised to \`error\` answers 400.
- *What to do*: data – correct the payload; set-up – correct the address, key, supplier or team; send it again – the
  same request may succeed later, after \`Retry-After\` if the answer has it.
- \`{max}\`, \`{min}\` and \`{allowed}\` are filled from the rule, never from the payload.

A code without a status belongs to rules or requests that the API of this version does not answer with yet, or only
ever warns.

${table(['Code', 'Where', 'Status', 'Severity', 'What to do', 'Text'], rows)}
`
