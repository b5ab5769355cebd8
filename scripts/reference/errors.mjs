import { bundledMarkets, catalogueOf } from '../../packages/core/dist/index.js'
import { codeFacts, onOneLine } from '../../packages/adapter-http-koa/dist/docs/index.js'
import { guides } from '../docs-site/guides.mjs'
import { code, table } from './table.mjs'

const classes = { data: 'change the data', 'set-up': 'change the set-up', retry: 'send it again' }
const catalogue = catalogueOf(bundledMarkets)
const codes = Object.keys(catalogue)
const guidesByCode = guides()
const factsOf = (name) => codeFacts(name, bundledMarkets, guidesByCode)
const link = (name) => `[${code(name)}](#${name})`

const severityOf = ({ severity, changeable }) => (changeable ? `${severity}, changeable` : severity)

const rows = codes.map((name) => [
  link(name),
  factsOf(name).statuses,
  severityOf(catalogue[name]),
  classes[catalogue[name].class],
  factsOf(name).detail,
])

const plain = (text) => text.replaceAll('<', '\\<')
const list = (mark, items) => items.map((item) => `${mark} ${plain(item)}`).join('\n')
const path = (text) => (/^[a-z0-9_.N]+$/.test(text) ? code(text) : plain(text))

const fenced = (bad, good) => `\`\`\`text\ngets it:\n${bad}\ndoes not:\n${good}\n\`\`\``

const exampleOf = ({ guide }) => {
  const { place, bad, good, setting } = onOneLine(guide.example)
  const where = place === '' ? '' : ` Fields of ${place}.`
  const needed = setting === undefined ? '' : ` With the setting ${code(setting)}.`
  const note = `Example.${where}${needed}`
  return note === 'Example.' ? fenced(bad, good) : `${note}\n\n${fenced(bad, good)}`
}

const section = (name) => {
  const facts = factsOf(name)
  const { guide } = facts
  return [
    `### ${name}`,
    `${plain(guide.means)} Appears as ${facts.where}.`,
    list('-', guide.causes),
    `What to do: ${facts.remedy.toLowerCase()}.`,
    list('1.', guide.fix),
    ...(facts.command === undefined ? [] : [`The operator may change it: ${code(facts.command)}`]),
    ...(guide.at.length === 0 ? [] : [`\`attr\`: ${guide.at.map(path).join(', ')}`]),
    exampleOf(facts),
    `See also ${guide.related.map(link).join(', ')}.`,
  ].join('\n\n')
}

export const errorsPage = () => `# Error codes

Every refusal has one body, and every code in it keeps its meaning; only the texts may change. The service shows each
code at \`/docs/errors/<code>/\` below its base address.

\`\`\`json
{ "detail": "for people", "code": "for programs", "errors": [{ "detail": "…", "code": "…", "attr": "customers.0.landline" }] }
\`\`\`

- A code stands on the whole answer, on an entry of \`errors\`, or on a warning in the header \`Import-Warnings\`.
- *Severity*: what the rule does by default; an operator may set a changeable one for a supplier to \`error\`,
  \`warn\` or \`off\`. A rule that is raised to \`error\` answers 400.
- *What to do*: data – correct the payload; set-up – correct the address, key, supplier or team; send it again – the
  same request may succeed later, after \`Retry-After\` if the answer has it.
- \`N\`, \`A, B or C\` and \`what the field takes\` in texts stand for what an answer fills in, from the rule, never from the payload.
- In paths N stands for an index, counted from 0.

${table(['Code', 'Status', 'Severity', 'What to do', 'Text'], rows)}

${codes.map(section).join('\n\n')}
`
