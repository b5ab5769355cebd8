/** A cache of at most `most` values: a new one replaces the one that was used longest ago. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: string): Value | undefined {
    const value = this.values.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.values.delete(key)
    this.values.set(key, value)
    if (this.values.size <= this.most) return
    const [oldest] = this.values.keys()
    if (oldest !== undefined) this.values.delete(oldest)
  }
}
