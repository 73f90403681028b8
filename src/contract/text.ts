import { z } from 'zod'

/** Text that git, the kernel and the database can all store. */
export const textSchema = z
  .string()
  .refine((text) => !text.includes('\0'), { message: 'contains a NUL character' })

/** The name of an agent, a role, a branch or a user. */
export const nameSchema = textSchema.min(1).max(200)

export const pathSchema = textSchema.min(1).max(4096)

/** Why a person did something. */
export const reasonSchema = textSchema.max(1000).optional()

/** An id in a request. Whether it exists is checked later, with a clearer error. */
export const idSchema = z.string().max(64)

/** Providers whose programs must not be passed over for others because they are missing or not logged in. */
export const neverSkipSchema = z.array(nameSchema).max(20)
