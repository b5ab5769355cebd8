/** What the demo works with; the samples name this supplier. */
export const demoData = {
  organisation: 'DEMO',
  organisationName: 'Demo organisation',
  importSupplier: 'LEVANTE',
  operationsTeam: 'Demo team',
} as const

/**
 * The demo as made: an organisation with one supplier, a team, and a key, which lies in a file of its owner alone. `apiKey`:
 * the key itself, in the run that made it.
 */
export type Demo = Readonly<{ keyFile: string; apiKey?: string }>
