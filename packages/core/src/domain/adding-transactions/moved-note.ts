import type { LocalDate } from '../../values/local-date.js'

/** A transaction whose date was changed; `copy` as in `AddedTransaction`. */
export type Move = Readonly<{
  transactionId: string
  copy: number
  ledgerCode: string | undefined
  from: LocalDate
  to: LocalDate
}>

/**
 * The most UTF-16 units that the lines of the list have together. Each takes three bytes at most, so that the whole
 * text fits into the body of a note.
 */
const maxListed = 16_000

const line = ({ transactionId, copy, ledgerCode, from, to }: Move): string =>
  [
    `- ${transactionId}: ${from} → ${to}`,
    ...(ledgerCode === undefined ? [] : [`ledger ${ledgerCode}`]),
    ...(copy === 0 ? [] : [`added again, copy ${copy + 1}`]),
  ].join(', ')

const heading = (count: number): string =>
  count === 1
    ? 'One imported transaction was dated outside the open statement period and has been moved into it:'
    : `${count} imported transactions were dated outside the open statement period and have been moved into it:`

/** The text of the note that is pinned to an account when a request moved transactions. At least one was moved. */
export const movedNoteBody = (moves: readonly Move[]): string => {
  const lines = [heading(moves.length)]
  let listed = 0
  for (const move of moves) {
    const next = line(move)
    listed += next.length
    if (listed > maxListed) break
    lines.push(next)
  }
  const rest = moves.length - (lines.length - 1)
  if (rest > 0) lines.push(`- and ${rest} more`)
  return lines.join('\n')
}
