import type { WireProvider } from '../../contract/provider.ts'
import type { ProviderView } from '../../engine/queries/providers.ts'

export function providerToWire({ converses, models, ...rest }: ProviderView): WireProvider {
  return {
    ...rest,
    resumes: converses,
    asks: converses,
    ...(models === undefined ? {} : { models: models.map((model) => ({ ...model })) }),
  }
}
