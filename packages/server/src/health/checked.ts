import type { Readiness } from '@account-import/adapter-http-koa'

/** What a check found out about components; `reasons` are for the log: codes of the system or driver. */
export type Checked = Readonly<{ components: Readiness; reasons?: Readonly<Record<string, string>> }>
