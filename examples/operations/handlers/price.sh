# The protocol needs nothing but a shell: one JSON object comes on stdin, one goes to stdout.
input=$(cat)
nights=$(printf '%s' "$input" | sed -n 's/.*"nights":\([0-9]*\).*/\1/p')
printf '{"output": {"amount": %d}}\n' $((nights * 95))
