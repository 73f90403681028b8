/** The share of its budget at which a job sends a warning. */
export const BUDGET_WARNING_SHARE = 0.8
