/** What an invariant found broken, one text for each break. */
export type Broken = Readonly<{
  /** Acknowledged, and not there. */
  lost: readonly string[]
  /** There more than once. */
  doubled: readonly string[]
  other: readonly string[]
}>

export const nothing: Broken = { lost: [], doubled: [], other: [] }

export const together = (all: readonly Broken[]): Broken => ({
  lost: all.flatMap(({ lost }) => lost),
  doubled: all.flatMap(({ doubled }) => doubled),
  other: all.flatMap(({ other }) => other),
})
