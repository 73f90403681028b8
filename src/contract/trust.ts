import { z } from 'zod'
import { instantSchema } from './instant.ts'

const repositoryPath = z.string().min(1).max(4096)

export const guardedPartSchema = z.object({
  /** Where it is in the file, such as `agents.mine.command`. */
  field: z.string(),
  /** The whole value; only an agent's own keys are left out. */
  value: z.string(),
  effect: z.enum(['runs-programs', 'loosens-protection', 'sends-keys']),
})

/** What a repository's muster.yaml asks for that needs the person's trust. */
export const trustSchema = z
  .object({
    repositoryPath: z.string(),
    /** Identifies the parts. Send it back to trust exactly what was shown. */
    digest: z.string(),
    parts: z.array(guardedPartSchema),
    /** What the person hasn't agreed to yet: new parts, and checks that are gone. */
    untrusted: z.array(guardedPartSchema),
    isTrusted: z.boolean(),
  })
  .meta({ id: 'Trust' })

export type WireTrust = z.infer<typeof trustSchema>

export const trustedSchema = z.object({ path: z.string(), digest: z.string(), trustedAt: instantSchema })

export const repositoryQuerySchema = z.object({ repositoryPath })
export const trustRequestSchema = z.strictObject({ repositoryPath, digest: z.string().min(1).max(200) })
export const revokeRequestSchema = z.strictObject({ repositoryPath })
export const revokedSchema = z.object({ wasTrusted: z.boolean() })
