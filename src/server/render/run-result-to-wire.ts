import type { WireArtifact, WireDecision, WireFinding } from '../../contract/run-result.ts'
import type { Artifact, Decision, Finding } from '../../domain/run/typed-results.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function findingToWire({ createdAt, verifiedAt, sources, ...finding }: Finding): WireFinding {
  return {
    ...finding,
    sources: [...sources],
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ verifiedAt }),
  }
}

export function artifactToWire({ createdAt, files, ...artifact }: Artifact): WireArtifact {
  return { ...artifact, files: [...files], createdAt: createdAt.toISOString() }
}

export function decisionToWire({ createdAt, alternatives, ...decision }: Decision): WireDecision {
  return {
    ...decision,
    alternatives: alternatives.map(({ name, pros, cons }) => ({ name, pros: [...pros], cons: [...cons] })),
    createdAt: createdAt.toISOString(),
  }
}
