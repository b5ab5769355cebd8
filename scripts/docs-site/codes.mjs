import { bundledMarkets, catalogueOf } from '../../packages/core/dist/index.js'
import { textOf } from '../../packages/core/dist/catalogue/index.js'
import { statusesOf } from '../../packages/http-contract/dist/openapi/index.js'
import { guides, withHeadings } from './guides.mjs'
import { meaningsOf } from './meanings.mjs'

/** Texts in place of the values that the rule of a field fills in. */
const words = { max: 'N', min: 'N', allowed: 'A, B or C', form: 'what the field takes, such as a date' }

const uses = { F: 'entry of errors', W: 'warning', T: 'code of the whole response' }

const remedies = {
  data: 'Fix the data',
  'set-up': 'Fix the set-up: address, key, supplier, team or configuration',
  retry: 'Send the same request again later',
}

const statusText = (code, entry) => {
  const statuses = statusesOf(code, entry)
  const parts = statuses.length > 0 ? [statuses.join(', ')] : []
  if (entry.where.includes('W')) parts.push('any success as a warning')
  if (entry.changeable) parts.push('400 when it is raised to error')
  return parts.length > 0 ? parts.join('; ') : 'not used in this version'
}

/** The command that changes the severity of a code for a supplier; undefined if the severity is fixed. */
const commandFor = (code, { changeable }) => {
  const configure = 'account-import supplier configure SUPPLIER'
  if (code === 'not_in_supplier_list') return `${configure} --close-list NAME=VALUE1,VALUE2:error|warn`
  if (code === 'path_does_not_exist_in_file_store') return `${configure} --check-documents off|warn|error`
  return changeable ? `${configure} --severity ${code}=error|warn|off` : undefined
}

export const catalogue = catalogueOf(bundledMarkets)
const guidesByCode = guides()

const pageOf = (code, entry) => ({
  detail: textOf(entry, words),
  where: entry.where.map((use) => uses[use]).join(', or '),
  remedy: remedies[entry.class],
  statuses: statusText(code, entry),
  severity: code === 'not_in_supplier_list' ? 'chosen with the list' : entry.severity,
  command: commandFor(code, entry),
  ...guidesByCode[code],
  meanings: meaningsOf(guidesByCode[code]?.at ?? []),
})

/** The description of each code of the service and the bundled markets, from catalogue, problem table and guide. */
export const codePages = Object.fromEntries(
  Object.entries(catalogue).map(([code, entry]) => [code, pageOf(code, entry)]),
)

/** Whether the text of a code has placeholders for values of a field's rule. */
const isFilledIn = ({ detail }) => /\{\w+\}/.test(detail)

/** The list of fields, each with its meaning. */
const withMeanings = (markdown, meanings) =>
  meanings.reduce((text, { at, text: meaning, example }) => {
    const shown = example === undefined ? '' : ` Example: \`${JSON.stringify(example)}\``
    return text.replace(`\n- \`${at}\`\n`, () => `\n- \`${at}\`: ${meaning}${shown}\n`)
  }, markdown)

/** The page of a code for the site: title, facts, guide, and the fields with their meanings. */
export const withFacts = (code, markdown) => {
  const { detail, where, remedy, statuses, severity, command, meanings } = codePages[code]
  const filled = isFilledIn(catalogue[code])
    ? 'A response contains the values that the field takes instead of the general words. They come from the rule, never from the payload.\n'
    : ''
  const facts = `${detail}

${filled}
- **What to do:** ${remedy}
- **Appears as:** ${where}
- **HTTP status:** ${statuses}
- **Severity:** ${severity}

${command === undefined ? 'The severity is the same for all suppliers.' : `The operator changes the severity for a supplier: \`${command}\``}

## Meaning

`
  return withMeanings(withHeadings(markdown), meanings).replace(/^# .*\n+/, (title) => title + facts)
}
