import { machineText, markdownTable, saveTable } from '../faults/report/figures.js'
import type { Outcome } from './run.js'

type Row = Readonly<{ endpoint: string; requests: number; statuses: readonly number[] }>

const rowsOf = ({ answers }: Outcome): readonly Row[] => {
  const rows = new Map<string, { requests: number; statuses: number[] }>()
  for (const [key, count] of answers) {
    const at = key.lastIndexOf(' ')
    const endpoint = key.slice(0, at)
    const row = rows.get(endpoint) ?? { requests: 0, statuses: [] }
    row.requests += count
    row.statuses.push(Number(key.slice(at + 1)))
    rows.set(endpoint, row)
  }
  return [...rows]
    .map(([endpoint, { requests, statuses }]) => ({
      endpoint,
      requests,
      statuses: statuses.sort((a, b) => a - b),
    }))
    .toSorted((left, right) => left.endpoint.localeCompare(right.endpoint, 'en'))
}

/** Where no answer is right: the stream of lines was cut, as its packed bytes were damaged. */
const statusText = (status: number): string => (status === 0 ? 'cut' : String(status))

/** What came of a run, in one line. */
export const summaryOf = ({ requests, answers, codes, violations }: Outcome, milliseconds: number): string =>
  `${requests} requests in ${Math.round(milliseconds / 1000)} s, ${answers.size} pairs of endpoint and status, ` +
  `${codes.size} codes, ${violations.length} violations`

/** Endpoints, and the statuses that each answered with, as a table. */
export const tableOf = (outcome: Outcome): string =>
  markdownTable(
    [
      ['endpoint', 'requests', 'statuses'],
      ...rowsOf(outcome).map(({ endpoint, requests, statuses }) => [
        endpoint,
        String(requests),
        statuses.map(statusText).join(', '),
      ]),
    ],
    1,
  )

/** Writes a run into its section of docs/reference/hostile-input.md. */
export const saveRun = (what: string, outcome: Outcome, milliseconds: number): void =>
  saveTable(
    'requests',
    `${machineText(what)}: ${summaryOf(outcome, milliseconds)}.\n\n${tableOf(outcome)}`,
    'hostile-input',
  )
