import type { FieldError } from '@account-import/core'

/** What a success is answered with. `warnings` go into headers; they change neither status nor body. */
export type Answer<Body> = Readonly<{ status: number; body: Body; warnings: readonly FieldError[] }>
