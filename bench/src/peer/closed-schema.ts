import { accountPayloadSchema } from '@account-import/http-contract/openapi'

const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $schema: _, ...parts } = schema as Readonly<Record<string, unknown>>
  const inside = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, closed(part)]))
  return parts['type'] === 'object' && parts['properties'] !== undefined
    ? { ...inside, additionalProperties: false }
    : inside
}

/** The published schema of an account, but unknown fields do not belong to it, so that they can be left out. */
export const closedSchema = closed(accountPayloadSchema)
