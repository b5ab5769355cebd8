import type { Reader } from './reader.js'

/** A field of an object: how it is read, and whether it must be there. */
export type Field<A, Required extends boolean = boolean> = Readonly<{
  codec: Reader<A>
  isRequired: Required
}>

/** The fields of an object by their names in JSON, in the order of the tables of docs/reference/fields.md. */
export type Fields = Readonly<Record<string, Field<unknown>>>

export type Flat<A> = { readonly [Name in keyof A]: A[Name] }
export type RequiredNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends Field<unknown, true> ? Name : never
}[keyof F]
export type ValueOf<F> = F extends Field<infer A> ? A : never

/** What an object of these fields is once it is read. */
export type FieldValues<F extends Fields> = Flat<
  { [Name in RequiredNames<F>]: ValueOf<F[Name]> } & {
    [Name in Exclude<keyof F, RequiredNames<F>>]?: ValueOf<F[Name]>
  }
>

/** A field that gets `required` when it is absent. */
export const required = <A>(codec: Reader<A>): Field<A, true> => ({ codec, isRequired: true })

/** A field that may be left out; null is not leaving it out. */
export const optional = <A>(codec: Reader<A>): Field<A, false> => ({ codec, isRequired: false })
