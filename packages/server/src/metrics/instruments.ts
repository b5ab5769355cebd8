import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** The values of a gauge by the value of its label, with the name `''` without one; undefined for a value that is unknown now. */
type Values = Readonly<Record<string, number | undefined>>

/** Makes the instruments of a registry. All names begin with `account_import_`. */
export const instrumentsOf = (registry: Registry) => {
  const named = (name: string, help: string) => ({
    name: `account_import_${name}`,
    help,
    registers: [registry],
  })
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) =>
      new Counter<Label>({ ...named(name, help), labelNames }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: readonly number[],
      ...labelNames: readonly Label[]
    ) => new Histogram<Label>({ ...named(name, help), buckets: [...buckets], labelNames }),
    /** `read` is called by each reading of the metrics; an unknown value is absent. */
    gauge: (name: string, help: string, label: string | undefined, read: () => Values | Promise<Values>) =>
      new Gauge({
        ...named(name, help),
        labelNames: label === undefined ? [] : [label],
        async collect() {
          const values = await read()
          this.reset()
          if (label === undefined && values[''] === undefined) return this.remove()
          for (const [of, value] of Object.entries(values))
            if (value !== undefined) this.set(label === undefined ? {} : { [label]: of }, value)
        },
      }),
  }
}

export type Instruments = ReturnType<typeof instrumentsOf>
