import type { Readiness } from '@account-import/adapter-http-koa'

/** Why a component does not work, for the log: the code of the system or driver, and how to go on. */
export type Reason = Readonly<{ code: string; advice?: string }>

/** The result of a check of the components. */
export type Checked = Readonly<{ components: Readiness; reasons?: Readonly<Record<string, Reason>> }>
