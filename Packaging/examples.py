"""The examples of the manual pages: commands with comments, by subcommand. A test runs each page's in order on the sample."""

KEY = "--write-key 1xAcmeWriteKey"
EXAMPLES = {
    "": [
        ("Review a container: decide, apply, roll back", "carryover AcmeShop.xcappdata"),
        ("Without a screen", f"carryover plan AcmeShop.xcappdata {KEY} -o plan.json"),
        ("", "carryover apply plan.json --set user_id=42 --set rudder.app_build=420 --yes"),
        ("", "carryover rollback AcmeShop.xcappdata --yes"),
    ],
    "review": [("", f"carryover review AcmeShop.xcappdata {KEY}"), ("In an archive, without writing", "carryover review Case4711.zip/AcmeShop.xcappdata")],
    "browse": [("", "carryover browse AcmeShop.xcappdata")],
    "inspect": [("", "carryover inspect AcmeShop.xcappdata"), ("Search every key and value", "carryover inspect AcmeShop.xcappdata --find anonymous")],
    "list": [("", "carryover list Case4711.zip")],
    "extract": [("", "carryover extract Case4711.zip --app com.acme.shop -o Extracted")],
    "plan": [
        ("", f"carryover plan AcmeShop.xcappdata {KEY}"), ("Save the plan for apply", f"carryover plan AcmeShop.xcappdata {KEY} -o plan.json"),
        ("What the new SDK does at the next launch", f"carryover plan AcmeShop.xcappdata {KEY} --next-launch"),
    ],
    "apply": [
        ("Try it on a copy first", f"carryover apply AcmeShop.xcappdata {KEY} --accept user_id --skip rudder.app_build --rehearse"),
        ("", f"carryover apply AcmeShop.xcappdata {KEY} --accept user_id --set rudder.app_build=420 --yes"),
    ],
    "rollback": [
        ("Show what would change", "carryover rollback AcmeShop.xcappdata --dry-run"), ("One value", "carryover rollback AcmeShop.xcappdata --only user_id --yes"),
        ("All others", "carryover rollback AcmeShop.xcappdata --yes"),
    ],
    "cleanup": [
        ("Show what would be removed", f"carryover cleanup AcmeShop.xcappdata {KEY} --dry-run"), ("", f"carryover cleanup AcmeShop.xcappdata {KEY} --yes"),
    ],
    "history": [("", "carryover history AcmeShop.xcappdata"), ("Free space", "carryover history prune AcmeShop.xcappdata --older-than 90 --yes")],
    "recover": [("", "carryover recover AcmeShop.xcappdata")],
    "diagnose": [("", f"carryover diagnose AcmeShop.xcappdata {KEY}")],
    "report": [
        ("", f"carryover report AcmeShop.xcappdata {KEY} > ticket.md"), ("", f"carryover report AcmeShop.xcappdata {KEY} --html > ticket.html"),
    ],
    "audit": [("", f"carryover audit Case4711.zip {KEY} -o audit"), ("", "carryover audit report audit --format html -o audit.html")],
    "explain": [("", "carryover explain app.build-not-integer"), ("List all codes", "carryover explain")],
    "recipe": [
        ("", "carryover recipe list"), ("", "carryover recipe explain rudderstack-objc user_id"),
        ("Draft a recipe file", "carryover recipe new acme --from AcmeShop.xcappdata --output acme.yaml"),
    ],
    "config": [("", "carryover config"), ("Every key of every screen", "carryover config keys")],
    "doctor": [("", "carryover doctor")],
    "version": [("", "carryover version --json")],
}
