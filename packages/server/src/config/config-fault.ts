/** One thing that is wrong with the configuration; `detail` completes the sentence and shows no secret. */
export type ConfigFault = Readonly<{ variable: string; detail: string }>
