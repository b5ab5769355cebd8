import { bundledMarkets, catalogueOf, type CatalogueEntry } from '@account-import/core'

/** Every code of the service with the bundled markets. */
export const published: ReadonlyMap<string, CatalogueEntry> = new Map(
  Object.entries(catalogueOf(bundledMarkets)),
)
