/** A JSON Schema of draft 2020-12, as far as this package writes them. */
export type JsonSchema = Readonly<{ [keyword: string]: unknown }>

/** Schemas by name, and how they refer to each other. */
export type Definitions = Readonly<{
  refTo: (name: string) => JsonSchema
  known: Map<string, JsonSchema>
}>

/** `supply address entry` becomes `SupplyAddressEntry`. */
export const definitionName = (name: string): string =>
  name.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase())
