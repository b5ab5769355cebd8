/** What the demo works with; the samples name this supplier. */
export const demoData = {
  organisation: 'DEMO',
  organisationName: 'Demo organisation',
  importSupplier: 'LEVANTE',
  operationsTeam: 'Demo team',
} as const

/** The demo as made: an organisation with one supplier, a team, and a key. */
export type Demo = Readonly<{ apiKey: string }>
