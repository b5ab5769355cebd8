/**
 * How one call of a port goes wrong: before or after it has had its effect it fails, or it never answers. A commit that
 * fails after its effect is one whose outcome its caller does not know.
 */
export type Fault = Readonly<{
  moment: 'before' | 'after'
  ending: 'unavailable' | 'unexpected' | 'no answer'
}>

const moments = ['before', 'after'] as const
const endings = ['unavailable', 'unexpected', 'no answer'] as const

export const everyFault: readonly Fault[] = moments.flatMap((moment) =>
  endings.map((ending) => ({ moment, ending })),
)

export const faultName = ({ moment, ending }: Fault): string => `${ending} ${moment} its effect`
