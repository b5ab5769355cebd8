/** JSON whose fields the compiler does not know, such as `Record<string, unknown>`. */
export type UntypedJson<Given> = Given & (string extends keyof Given ? unknown : never)
