import type { FileTotals, Proof } from '@account-import/account-files'
import type { Scope } from '@account-import/core'
import { type CheckContext } from '@account-import/core/payloads'

/** The content of the element `console-data`, which the server writes into the pages that read files. */
export type PageData = Readonly<{
  /** The relative address of the folder of `console/` and `docs/`. */
  root: string
  who: string
  scopes: readonly Scope[]
  suppliers: readonly Readonly<{ code: string; context: CheckContext }>[]
  teams: readonly string[]
}>

/** A request of a page to its worker. `api`: the absolute address of the API for scripts of the console. */
export type Order =
  | Readonly<{ kind: 'check'; file: File; suppliers: PageData['suppliers'] }>
  /** Imports the valid accounts of the file that was checked before. */
  | Readonly<{ kind: 'import'; api: string; team: string }>
  | Readonly<{
      kind: 'prove'
      api: string
      files: readonly File[]
      supplier: PageData['suppliers'][number]
      by: string
    }>

/** A field of a finding: its anchor in the reference, and its meaning. */
export type Places = Readonly<Record<string, Readonly<{ anchor: string | undefined; meaning: string }>>>

/** `failures`: one row for each failed account; `findings`: one row for each finding; both CSV. */
export type CheckResult = Readonly<{
  totals: FileTotals
  places: Places
  seconds: number
  failures: Blob
  findings: Blob
  valid: number
}>

/** `counts`: the number of accounts in each state, for people; `runs`: the ids of the import runs. */
export type ImportResult = Readonly<{
  counts: readonly (readonly [state: string, accounts: number])[]
  codes: readonly Readonly<{ code: string; accounts: number }>[]
  failed: number
  failures: Blob
  runs: readonly Readonly<{ supplier: string; id: string; finished: boolean }>[]
}>

/** An answer of the worker; all but `progress` are the last one to an order. `trouble`: why the latest request is repeated. */
export type Report =
  | Readonly<{ kind: 'progress'; part: number; text: string; trouble?: string | undefined }>
  | Readonly<{ kind: 'checked'; result: CheckResult }>
  | Readonly<{ kind: 'imported'; result: ImportResult }>
  | Readonly<{ kind: 'proved'; proof: Proof }>
  | Readonly<{ kind: 'failed'; message: string }>
