import type { ServiceIdentifier } from 'inversify'

/** The identifier of a service in the container, the same in every copy of this package. */
export const serviceId = <Service>(name: string): ServiceIdentifier<Service> =>
  Symbol.for(`account-import/${name}`)
