#!/usr/bin/env bash
# Audits, and writes the reports. The status goes to a later step, so that the reports are shown before the job fails.
set -euo pipefail

# A line is an argument: nothing in it is split or expanded, and empty lines do not count.
arguments() {
  mapfile -t found < <(sed 's/\r$//; /^[[:space:]]*$/d' <<<"$1")
}

arguments "$AUDIT_LIMITS"
options=("${found[@]/#/--fail-on=}")
arguments "$AUDIT_OPTIONS"
options+=("${found[@]}")
arguments "$AUDIT_PATHS"
if [[ ${#found[@]} -eq 0 ]]; then
  echo "::error title=Carryover::The input \`paths\` is empty."
  exit 64
fi

folder=$(mktemp -d "$RUNNER_TEMP/carryover-audit-XXXXXX")/audit
status=0
carryover audit run -o "$folder" "${options[@]}" -- "${found[@]}" || status=$?
reports=false
if [[ -s $folder/rows.ndjson ]]; then
  carryover audit report "$folder" --format markdown -o "$folder/audit.md"
  cat "$folder/audit.md" >>"$GITHUB_STEP_SUMMARY"
  reports=true
fi
printf '%s\n' "status=$status" "folder=$folder" "reports=$reports" >>"$GITHUB_OUTPUT"
