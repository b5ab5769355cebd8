// Written by `npm run docs:generate` from the folders beside it.

/** The markets that a pack is bundled for, by their ISO 3166-1 country codes. */
export const markets = ['ES'] as const

export type Market = (typeof markets)[number]
