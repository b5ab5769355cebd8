import { createRequire } from 'node:module'
import type * as Driver from 'pg'

/**
 * The parameters of the start of a connection. A pooler keeps these for each client; it keeps no other setting of a session from one
 * transaction to the next.
 */
const startParameters = { DateStyle: 'ISO, YMD', TimeZone: 'UTC' }

/** A wait for a lock keeps a connection from others, and is repeated. */
const limitedWait = 'SET LOCAL lock_timeout = 1000'

/** The statement that begins a transaction, with the settings on which the stores depend: the server or the user may have others. */
export const beginning = (sql: string): string => {
  const begin = sql === 'BEGIN;' ? 'BEGIN ISOLATION LEVEL READ COMMITTED' : sql.replace(/;\s*$/, '')
  return `${begin}; ${limitedWait}`
}

const wholeNumber = 20
/** The types `date`, `time`, `timestamp`, `timestamptz`: they remain texts, so that no time zone is applied. */
const times: ReadonlySet<number> = new Set([1082, 1083, 1114, 1184])

const asText = (value: string): string => value

/** The driver reads a BIGINT, and so every count, as a text. */
const asNumber = (value: string): string | number =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value

const load = createRequire(import.meta.url)

/** The driver of PostgreSQL, which is loaded where it is used. */
export const loadDriver = (): typeof Driver => load('pg') as typeof Driver

const typesOf = ({ types }: typeof Driver): Driver.CustomTypesConfig => {
  const getTypeParser = (oid: number, format: 'text'): ((value: string) => unknown) => {
    if (times.has(oid)) return asText
    return oid === wholeNumber ? asNumber : (types.getTypeParser(oid, format) as (value: string) => unknown)
  }
  return { getTypeParser: getTypeParser as Driver.CustomTypesConfig['getTypeParser'] }
}

/** A client of the driver; its published type leaves out what it sends at the start of a connection. */
type StartingClient = Driver.Client & { getStartupConf: () => Readonly<Record<string, string>> }

/**
 * A client that is not connected yet. It sends statements that are given at the same time without waiting for the answers between
 * them.
 */
export const newClient = (settings: Driver.ClientConfig): Driver.Client => {
  const pg = loadDriver()
  const client = new pg.Client({ ...settings, types: typesOf(pg), pipeline: true }) as StartingClient
  const ofDriver = client.getStartupConf.bind(client)
  client.getStartupConf = () => ({ ...ofDriver(), ...startParameters })
  return client
}
