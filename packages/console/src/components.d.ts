import type { Instant, ShownRun } from '@account-import/core'
import { type Html } from '@account-import/core/html'
import type { Frame } from './layout.js'
export declare const numberText: (value: number) => string
/** A code, with a link to its page in the documentation. Codes of markets that a host adds have no page. */
export declare const codeLink: ({ root, hasPage }: Pick<Frame, 'root' | 'hasPage'>, code: string) => Html
/** `37 s`, `12 min 5 s`, `3 h 20 min`. */
export declare const durationText: (seconds: number) => string
/** A time, as long ago as it was at `now`, with the exact one as its title. */
export declare const timeAgo: (at: Instant | undefined, now: number) => Html
/** The exact time. */
export declare const timeText: (at: Instant) => Html
/** The tone of each state. */
declare const tones: {
  readonly running: 'info'
  readonly finished: 'good'
  readonly interrupted: 'warn'
  readonly stalled: 'warn'
  readonly undone: 'soft'
  readonly partly_undone: 'soft'
}
/** The state that people see: a running run without progress for ten minutes is stalled. */
export declare const shownState: ({ state, latestProgressAt }: ShownRun, now: number) => keyof typeof tones
export declare const stateChip: (run: ShownRun, now: number) => Html
export declare const chip: (text: string, tone: 'good' | 'bad' | 'warn' | 'info' | 'soft') => Html
/** A part of a bar: its tone, its name and its number. */
export type Part = Readonly<{
  tone: string
  name: string
  count: number
}>
/** A bar of parts in their tones. Hidden from screen readers: the numbers are beside it. */
export declare const bar: (parts: readonly Part[]) => Html
/** The parts of a bar as numbers with their names. */
export declare const tiles: (parts: readonly Part[]) => Html
/** Created, refused and undone accounts of a run. An undone account was created before. */
export declare const outcome: ({ totals: { created, refused }, undone }: ShownRun) => Html
export declare const nameOf: ({ label, source, id }: Pick<ShownRun, 'label' | 'source' | 'id'>) => string
export type Column = readonly [name: string, kind?: 'num']
/** A table in a box that scrolls where it is too wide. The first column names the rows. */
export declare const table: (
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Html[])[],
) => Html
export declare const facts: (list: readonly (readonly [name: string, value: Html])[]) => Html
/** The place of a list without items. */
export declare const emptyState: (text: Html) => Html
export declare const links: (all: readonly (Html | undefined)[]) => Html
/** A field to choose one of several values; the empty value is the first. */
export declare const choice: (
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
) => Html
export {}
//# sourceMappingURL=components.d.ts.map
