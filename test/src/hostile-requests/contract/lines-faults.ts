import { leaksIn } from './leaks.js'
import type { Check } from './schemas.js'

type Line = Readonly<{
  line?: number
  status?: number
  error?: Readonly<{ code?: string; errors?: readonly Readonly<{ code?: string }>[] }>
  summary?: Readonly<Record<string, number>>
}>

type Found = Readonly<{ codes: readonly string[]; faults: readonly string[] }>

const codesIn = ({ error }: Line): readonly string[] =>
  [error?.code, ...(error?.errors ?? []).map(({ code }) => code)].filter((code) => code !== undefined)

const objectionFaults = (line: Line, objectionTo: Check | undefined): readonly string[] => {
  const objection = objectionTo?.(line)
  return objection === undefined ? [] : [`a line is not as declared: ${objection}`]
}

const lineFaults = (line: Line, objectionTo: Check | undefined): readonly string[] => [
  ...objectionFaults(line, objectionTo),
  ...(line.error === undefined ? [] : leaksIn(line.error)),
  ...((line.status ?? 0) >= 500 ? [`a failure of the service in a line: ${codesIn(line).join()}`] : []),
]

const summaryFaults = (
  results: readonly Line[],
  summary: Line['summary'],
  sent?: number,
): readonly string[] => {
  if (summary === undefined) return ['the last line is no summary']
  const { received = -1, ...others } = summary
  const sum = Object.values(others).reduce((total, count) => total + count, 0)
  const failed = results.filter(({ error }) => error !== undefined).length
  return [
    ...(received === results.length && (sent === undefined || sent === received)
      ? []
      : [`the summary counts ${received} of ${sent ?? results.length} lines`]),
    ...(sum === received && failed === summary['failed'] ? [] : ['the counts of the summary do not add up']),
  ]
}

/** What is wrong with an answer of lines; `sent`: how many lines were sent, where each has to have one of the answer. */
export const linesFaults = (text: string, objectionTo: Check | undefined, sent?: number): Found => {
  if (!text.endsWith('\n')) return { codes: [], faults: ['the last line has no end'] }
  let lines: readonly Line[]
  try {
    lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  } catch {
    return { codes: [], faults: ['a line is no JSON'] }
  }
  const results = lines.slice(0, -1)
  return {
    codes: lines.flatMap(codesIn),
    faults: [
      ...new Set(lines.flatMap((line) => lineFaults(line, objectionTo))),
      ...summaryFaults(results, lines.at(-1)?.summary, sent),
    ],
  }
}
