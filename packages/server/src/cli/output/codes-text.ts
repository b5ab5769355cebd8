import type { CodeCount, Example } from '../../account-files/counts.js'
import { numberText } from '../../account-files/report/numbers.js'
import { typed } from '../../program-name.js'
import { table } from './table.js'

type First = Readonly<{ example: Example; detail: string }>

/** Where a code comes first in the file, with its text there. */
const firstOf = ({ fields }: CodeCount): First | undefined =>
  fields
    .flatMap(({ examples: [example], detail }) => (example === undefined ? [] : [{ example, detail }]))
    .toSorted((left, right) => left.example.line - right.example.line)[0]

const placeOf = ({ attr, column }: Example): string =>
  column === undefined ? attr || 'the account itself' : `column ${column}`

const headings = ['SEVERITY', 'CODE', 'ACCOUNTS', 'TIMES', 'FIRST LINE', 'FIELD']

/** Codes with how often they occur, where first, and what to do about them there; nothing where there are none. */
export const codesText = (counts: readonly CodeCount[]): readonly string[] => {
  if (counts.length === 0) return []
  const firsts = counts.map(firstOf)
  const rows = counts.map(({ severity, code, accounts, findings }, index) => {
    const example = firsts[index]?.example
    const place = example === undefined ? ['', ''] : [numberText(example.line), placeOf(example)]
    return [severity, code, numberText(accounts), numberText(findings), ...place]
  })
  const [heads = '', ...lines] = table(headings, rows).split('\n')
  const told = lines.flatMap((line, index) => [line, `          ${firsts[index]?.detail ?? ''}`.trimEnd()])
  return [[heads, ...told].join('\n'), `Meaning and remedy of a code: ${typed('explain CODE')}`]
}
