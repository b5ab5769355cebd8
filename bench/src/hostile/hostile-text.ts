import type { HostileCase } from './hostile-case.js'
import { textTable } from '../report/table.js'

const heads = [
  'hostile body',
  'MB',
  'parse ms',
  'first ms',
  'best ms',
  'status',
  'busy ms',
  'delay ms',
] as const

const whole = (milliseconds: number): string => milliseconds.toFixed(0)

const cells = ({ name, bytes, parse, first, best, status, busy, delay }: HostileCase): readonly string[] => [
  name,
  (bytes / 1_000_000).toFixed(1),
  ...[parse, first, best].map(whole),
  String(status),
  whole(busy),
  whole(delay),
]

/** The table of the section on hostile bodies, the worst first. */
export const hostileText = (cases: readonly HostileCase[]): string =>
  [
    textTable([heads, ...cases.toSorted((left, right) => right.first - left.first).map(cells)]),
    '',
    'parse: JSON.parse of the body. first and best: validating what was parsed, when nothing is warm and in the best round.',
    'busy: all that a server does for the body, from its bytes to those of the answer. These are time of the processor',
    'on the event loop. delay: the longest that the server could do nothing else, by the clock, other processes included.',
  ].join('\n')
