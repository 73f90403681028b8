import { z } from 'zod'

/** The parts of the daemon's environment that decide whether agents can work. The values of variables aren't sent. */
export const environmentSchema = z
  .object({
    /** The directories in which the daemon looks for programs. */
    searchPath: z.array(z.string()),
    /** The variables with credentials that agent programs get from the daemon. */
    variables: z.array(
      z.object({
        name: z.string(),
        /** The providers whose programs get it. */
        providers: z.array(z.string()),
        /** `digestOfVariable` of its value; absent if the daemon doesn't have the variable. */
        digest: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'Environment' })

export type WireEnvironment = z.infer<typeof environmentSchema>

/** Two values of a variable have the same digest only if they are equal. Without the token, it says nothing about them. */
export async function digestOfVariable(token: string, name: string, value: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(token), algorithm, false, ['sign'])
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(`environment:${name}=${value}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
